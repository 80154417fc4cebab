import type { RequestHandler } from 'express';

/** Answers of the API are for whoever asked, at that moment; a cache between us must keep none. */
export const neverStored: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-store');
  next();
};
