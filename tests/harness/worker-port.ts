import { freePort, isFree } from './ports.ts';

let port: number | null = null;

/** The port of this worker's APIs, one after the other: pages of its browser are kept from one file to the next. */
export const portOfWorker = async (): Promise<number> => {
  if (port === null || !(await isFree(port))) port = await freePort();
  return port;
};

export const isOfWorker = (url: string): boolean => port !== null && new URL(url).port === String(port);
