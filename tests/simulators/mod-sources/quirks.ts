import type { ServerResponse } from 'node:http';
import type { SourceAnswer } from './answers.ts';

/**
 * How a source misbehaves.
 * - `too-much-traffic`: CurseForge's 403 that is unrelated to the key
 * - `nonsense`: JSON of another shape; `no-json`: an HTML page with 200
 * - `huge`: announces 1 GiB; `endless`: endless chunks
 * - `silence`: never an answer; `cut`: half of one
 * - `hang-up`: the connection ends
 */
export type SourceQuirk =
  | { readonly status: 400 | 401 | 403 | 404 | 410 | 500 | 502 | 503 }
  | { readonly limited: { readonly retryAfter: string | null } }
  | 'too-much-traffic'
  | 'nonsense'
  | 'no-json'
  | 'huge'
  | 'endless'
  | 'silence'
  | 'cut'
  | 'hang-up';

const page = '<!DOCTYPE html><html><body>Checking your browser</body></html>';

/** Misbehaves as the quirk says. @returns the status */
export const misbehave = (quirk: SourceQuirk, usual: SourceAnswer, response: ServerResponse): number => {
  if (typeof quirk === 'object' && 'limited' in quirk) {
    const { retryAfter } = quirk.limited;
    response
      .writeHead(429, retryAfter === null ? {} : { 'Retry-After': retryAfter })
      .end(JSON.stringify({ error: 'ratelimit_error', description: 'You are being rate-limited.' }));
    return 429;
  }
  if (typeof quirk === 'object') {
    response.writeHead(quirk.status, { 'Content-Type': 'text/html' }).end(page);
    return quirk.status;
  }
  const json = { 'Content-Type': 'application/json' };
  switch (quirk) {
    case 'too-much-traffic':
      response.writeHead(403, json).end('We are experiencing too much traffic. Please try again later.');
      return 403;
    case 'nonsense':
      response.writeHead(200, json).end('{"data":{"hits":7},"hits":"many","response":[null]}');
      return 200;
    case 'no-json':
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(page);
      return 200;
    case 'huge':
      response.writeHead(200, { ...json, 'Content-Length': 2 ** 30 }).write('[');
      return 200;
    case 'endless': {
      response.writeHead(200, json);
      const chunk = Buffer.alloc(64 * 1024, ' ');
      const pour = (): void => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', pour);
      pour();
      return 200;
    }
    case 'cut': {
      const whole = JSON.stringify(usual.body);
      response.writeHead(200, { ...json, 'Content-Length': Buffer.byteLength(whole) });
      response.write(whole.slice(0, whole.length / 2), () => response.destroy());
      return 200;
    }
    case 'hang-up':
      response.destroy();
      return 0;
    case 'silence':
      return 0;
  }
};
