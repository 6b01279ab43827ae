/** What a text can hold and its page does not show, in words for a sentence. */
export type LeftOut =
  | "comments"
  | "attributes of HTML tags"
  | "HTML tags that do not end"
  | "HTML tags that GitHub does not know"
  | "declarations and instructions of HTML"
  | "HTML elements that are not shown"
  | "titles of links and images"
  | "alternative texts of images"
  | "addresses of links without words"
  | "addresses that GitHub takes out"
  | "definitions of links"
  | "footnotes that nothing refers to"
  | "words beside the language of a code block"
  | "text behind a drawing"
  | "maths that can hide text"
  | "characters that cannot be seen";
