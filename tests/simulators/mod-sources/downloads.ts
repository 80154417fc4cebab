import type { IncomingMessage, ServerResponse } from 'node:http';
import type { StockedFile } from './catalogue.ts';

/** How a download misbehaves. */
export interface DownloadQuirks {
  /** The connection breaks after this many bytes of each answer; null: never. */
  breakAfterBytes: number | null;
  /** Ignores `Range`: every answer is the whole file. */
  ignoresRanges: boolean;
  /** Every byte differs from the hashed content. */
  isCorrupt: boolean;
  /** Status for all downloads; null: the file. */
  status: 401 | 403 | 404 | 429 | 500 | 503 | null;
}

/** Sends a file with ranges and a strong ETag, like the object stores behind the sources' CDNs. */
export const sendFile = (
  file: StockedFile,
  quirks: DownloadQuirks,
  request: IncomingMessage,
  response: ServerResponse,
): number => {
  if (quirks.status !== null) {
    response
      .writeHead(quirks.status, quirks.status === 429 ? { 'Retry-After': '1' } : {})
      .end(`${quirks.status}`);
    return quirks.status;
  }
  const content = quirks.isCorrupt ? file.content.map((byte) => byte ^ 0xff) : file.content;
  const etag = `"${file.md5}"`;
  const common = { ETag: etag, 'Accept-Ranges': 'bytes', 'Content-Type': 'application/octet-stream' };
  const range = rangeOf(request, etag, quirks);
  const from = range?.from ?? 0;
  if (range && from >= content.length) {
    response.writeHead(416, { ...common, 'Content-Range': `bytes */${content.length}` }).end();
    return 416;
  }
  const end = Math.min(content.length, (range?.to ?? content.length - 1) + 1);
  const status = range ? 206 : 200;
  response.writeHead(status, {
    ...common,
    'Content-Length': end - from,
    ...(range ? { 'Content-Range': `bytes ${from}-${end - 1}/${content.length}` } : {}),
  });
  const { breakAfterBytes } = quirks;
  if (request.method === 'HEAD') response.end();
  else if (breakAfterBytes === null || end - from <= breakAfterBytes)
    response.end(content.subarray(from, end));
  else response.write(content.subarray(from, from + breakAfterBytes), () => response.destroy());
  return status;
};

const rangeOf = (
  request: IncomingMessage,
  etag: string,
  quirks: DownloadQuirks,
): { readonly from: number; readonly to: number | undefined } | null => {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  const ifRange = request.headers['if-range'];
  if (from === undefined || quirks.ignoresRanges || (ifRange !== undefined && ifRange !== etag)) return null;
  return { from: Number(from), to: to ? Number(to) : undefined };
};
