import type { RequestHandler } from 'express';

/** A response is for its caller at that moment only; no cache on the way may store it. */
export const noStore: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-store');
  next();
};
