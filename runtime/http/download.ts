import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

export interface Download {
  readonly content: Readable;
  readonly fileName: string;
  readonly contentType: string;
}

/** Sends only as fast as the client reads. A HEAD request reads nothing of the content. */
export const sendDownload = async (
  response: Response,
  { content, fileName, contentType }: Download,
): Promise<void> => {
  response.attachment(fileName).set({
    'Content-Type': contentType,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  if (response.req.method === 'HEAD') {
    content.destroy();
    response.end();
    return;
  }
  try {
    await pipeline(content, response);
  } catch (error) {
    // The client disconnected before the end, which is not a fault.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
};
