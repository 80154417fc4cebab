import { type Readable, Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

export interface Download {
  readonly content: Readable;
  readonly fileName: string;
  readonly contentType: string;
}

/** A download with a name of its own, which counts what is read of it. */
export class NamedDownload extends Transform {
  readonly fileName: string;
  bytes = 0;
  /** Called with each chunk that a reader has made room for. */
  onBytes = (): void => undefined;

  constructor(fileName: string) {
    super();
    this.fileName = fileName;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.bytes += chunk.length;
    this.onBytes();
    done(null, chunk);
  }
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
