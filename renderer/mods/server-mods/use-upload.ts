import { useEffect, useRef, useState } from 'react';
import { type ModUpload, modUploadPartBytes } from '#contracts/mods/mods.ts';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import { ApiProblem, isPassing, ProxyRefusal } from '../../kit/api/api-problem.ts';
import { callOnce } from '../../kit/api/call.ts';
import { retryPauseMs } from '../../kit/api/retry-pause.ts';
import { sendChange } from '../../kit/api/send-change.ts';

const retry = { firstMs: 500, mostMs: 10_000 };
/** The API takes no part for longer than 30 s, so a slow line sends smaller ones. */
const leastPartBytes = 256 * 1024;
/** Some proxies take less; below this, the proxy's limit has to be raised. */
const leastTakenBytes = 64 * 1024;

const pause = (ms: number, signal: AbortSignal): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    reject(signal.reason);
  });
  return promise;
};

/** Asks the API to delete an upload that no one needs. If that fails, the API deletes it after its time. */
export const discardUpload = (serverId: string, upload: string): void =>
  void sendChange(modsHttp.cancelUpload, { params: { serverId, upload } }).catch(() => undefined);

/**
 * Sends a file in chunks. A chunk whose answer was lost is sent again until the API answers: it takes each chunk only
 * once. An upload that does not get to its end is discarded.
 * @throws {Error} the API's refusal, or the signal's reason
 */
export const uploadMod = async (
  serverId: string,
  file: File,
  signal: AbortSignal,
  onReceived: (bytes: number, isHeldUp: boolean) => void,
): Promise<ModUpload> => {
  const begun = await sendChange(
    modsHttp.beginUpload,
    { params: { serverId }, body: { name: file.name.slice(-200), bytes: file.size } },
    { signal },
  );
  try {
    return await sendParts(serverId, begun, file, signal, onReceived);
  } catch (error) {
    discardUpload(serverId, begun.id);
    throw error;
  }
};

const sendParts = async (
  serverId: string,
  begun: ModUpload,
  file: File,
  signal: AbortSignal,
  onReceived: (bytes: number, isHeldUp: boolean) => void,
): Promise<ModUpload> => {
  let upload = begun;
  let partBytes = modUploadPartBytes;
  let from = upload.received;
  let failures = 0;
  while (from < file.size) {
    const part = file.slice(from, from + partBytes);
    try {
      upload = await callOnce(
        modsHttp.uploadPart,
        { params: { serverId, upload: upload.id }, query: { from } },
        { signal, bytes: part },
      );
      from = upload.received;
      failures = 0;
      onReceived(from, false);
    } catch (error) {
      if (error instanceof ProxyRefusal && error.isTooLarge(part.size) && part.size > leastTakenBytes) {
        partBytes = Math.max(leastTakenBytes, Math.ceil(part.size / 2));
        continue;
      }
      const code = error instanceof ApiProblem ? error.code : undefined;
      const mayPass = code === 'REQUEST_TIMEOUT' || (isPassing(error) && code !== 'MOD_UPLOADS_FULL');
      if (signal.aborted || !mayPass) throw error;
      partBytes = Math.min(partBytes, Math.max(leastPartBytes, partBytes / 2));
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

/** An upload that ends with the dialog that started it, or by `stop`. */
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
