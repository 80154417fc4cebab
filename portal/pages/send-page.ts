import type { Response } from 'express';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

/** No script runs, nothing comes from elsewhere, nobody frames a page. */
const pageHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  // Not `no-referrer`: browsers would then hide from us, too, which page a form was sent from.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  // Keys and addresses stand on these pages.
  'Cache-Control': 'no-store',
} as const;

/** @param page a whole document, such as `Page` makes */
export const sendPage = (response: Response, status: number, page: ReactElement): void => {
  response
    .status(status)
    .set(pageHeaders)
    .type('html')
    .send(`<!doctype html>${renderToStaticMarkup(page)}`);
};
