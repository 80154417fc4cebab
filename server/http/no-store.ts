import type { RequestHandler } from 'express';

/** A response is meant for its caller at that moment; no cache on the way may keep it. */
export const noStore: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-store');
  next();
};
