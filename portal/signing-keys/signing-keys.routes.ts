import { licensesHttp } from '#contracts/licenses.ts';
import type { Routes } from '#runtime/http/routes.ts';
import type { KeyRing } from './key-ring.ts';

export const signingKeyRoutes = (routes: Routes, { jwks }: KeyRing): void => {
  routes.on(licensesHttp.jwks, () => jwks);
};
