import { useEffect, useRef, useState } from 'react';
import { type ModUpload, modUploadPartBytes } from '#contracts/mods.ts';
import { modsHttp } from '#contracts/mods-http.ts';
import { isPassing } from '../../../wire/api-problem.ts';
import { call } from '../../../wire/call.ts';
import { retryPauseMs } from '../../../wire/retry-pause.ts';

const retry = { firstMs: 500, mostMs: 10_000 };

const pause = (ms: number, signal: AbortSignal): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    reject(signal.reason);
  });
  return promise;
};

/**
 * Sends a file in chunks. A chunk whose answer was lost is sent again until the API answers: it takes each chunk only
 * once.
 * @throws {Error} the API's refusal, or the signal's reason
 */
export const uploadMod = async (
  serverId: string,
  file: File,
  signal: AbortSignal,
  onReceived: (bytes: number, isHeldUp: boolean) => void,
): Promise<ModUpload> => {
  let upload = await call(
    modsHttp.beginUpload,
    { params: { serverId }, body: { name: file.name.slice(-200), bytes: file.size } },
    { signal },
  );
  let from = upload.received;
  let failures = 0;
  while (from < file.size) {
    const part = file.slice(from, from + modUploadPartBytes);
    try {
      upload = await call(
        modsHttp.uploadPart,
        { params: { serverId, upload: upload.id }, query: { from } },
        { signal, bytes: part },
      );
      from = upload.received;
      failures = 0;
      onReceived(from, false);
    } catch (error) {
      if (signal.aborted || !isPassing(error)) throw error;
      onReceived(from, true);
      failures += 1;
      await pause(retryPauseMs(retry, failures), signal);
    }
  }
  return upload;
};

export interface UploadState {
  readonly name: string;
  readonly total: number;
  readonly received: number;
  /** The API is away; the upload continues by itself. */
  readonly isHeldUp: boolean;
}

/** An upload that ends with the dialog that started it. */
export const useUpload = (serverId: string) => {
  const [state, setState] = useState<UploadState | null>(null);
  const [error, setError] = useState<unknown>(null);
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);
  /** @returns null if it failed or was cancelled */
  const send = async (file: File): Promise<ModUpload | null> => {
    running.current?.abort();
    const control = new AbortController();
    running.current = control;
    setError(null);
    setState({ name: file.name, total: file.size, received: 0, isHeldUp: false });
    try {
      return await uploadMod(serverId, file, control.signal, (received, isHeldUp) => {
        if (!control.signal.aborted) setState({ name: file.name, total: file.size, received, isHeldUp });
      });
    } catch (failure) {
      if (!control.signal.aborted) setError(failure);
      return null;
    } finally {
      if (running.current === control) {
        running.current = null;
        setState(null);
      }
    }
  };
  const stop = () => running.current?.abort();
  return { state, error, send, stop };
};
