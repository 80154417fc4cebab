import type { Routes } from '#runtime/http/routes.ts';

/** Where the portal's features bind their endpoints. All endpoints are public; the request body proves who asks. */
export type PortalRoutes = Routes<null>;
