import type { Express } from 'express';
import { stylesheet } from './stylesheet.ts';

/** A year: its address changes with its content. */
const cacheForEver = 'public, max-age=31536000, immutable';

export const bindAssets = (app: Express): void => {
  app.get('/assets/portal.css', (_request, response) => {
    response.set({ 'Cache-Control': cacheForEver, 'X-Content-Type-Options': 'nosniff' });
    response.type('css').send(stylesheet);
  });
};
