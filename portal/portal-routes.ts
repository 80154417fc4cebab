import type { Routes } from '#runtime/http/routes.ts';

/** Where the features of the portal bind their endpoints. All of them are public; the body proves who asks. */
export type PortalRoutes = Routes<null>;
