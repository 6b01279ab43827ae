import { notAccessible } from "../../auth/permission.ts";
import type { Route } from "../request/route.ts";
import { publicUserView } from "../view/account.ts";

export const USER_ROUTES: readonly Route[] = [
  {
    for: "installation",
    method: "GET",
    template: "/user",
    answer: ({ world, token }) => {
      if (token.person === undefined) throw notAccessible("metadata=read");
      return { status: 200, body: publicUserView(world, token.person.user) };
    },
  },
];
