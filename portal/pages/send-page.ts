import type { Response } from 'express';
import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { type Reader, ReaderProvider } from './reader.ts';

/** No scripts, no content from elsewhere, no framing. */
const pageHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  // Not `no-referrer`: with it, browsers would also hide from us which page a form was sent from.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  // These pages contain keys and addresses.
  'Cache-Control': 'no-store',
} as const;

/** @param page a whole document, such as from `Page` */
export const sendPage = (response: Response, status: number, page: ReactElement, reader: Reader): void => {
  const forReader = createElement(ReaderProvider, { value: reader }, page);
  response
    .status(status)
    .set({ ...pageHeaders, 'Content-Language': reader.language })
    .type('html')
    .send(`<!doctype html>${renderToStaticMarkup(forReader)}`);
};
