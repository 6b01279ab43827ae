/**
 * Characters that show as nothing, turn the writing round or carry hidden bytes. A single one of those that choose the looks of an emoji is
 * not among them.
 */
export const UNSEEN =
  /[\p{Cf}\p{Co}]|(?![\uFE00-\uFE0F])\p{Default_Ignorable_Code_Point}|[\uFE00-\uFE0F]{2,}/gu;
