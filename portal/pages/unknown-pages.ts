import { type Express, type Request, Router } from 'express';
import { bindPageArea, type PageAreaOptions } from './page-area.ts';

/** A page for people at an unknown address; programs get a problem document. */
export const bindUnknownPages = (app: Express, options: Omit<PageAreaOptions, 'root'>): void => {
  const pages = Router();
  bindPageArea(pages, { ...options, root: '/' }, () => undefined);
  app.use((request, response, next) => (isForPerson(request) ? pages(request, response, next) : next()));
};

/** Clients that accept anything, such as curl, are treated as programs. */
const isForPerson = (request: Request): boolean =>
  request.method === 'GET' &&
  !request.path.startsWith('/api/') &&
  request.accepts(['json', 'html']) === 'html';
