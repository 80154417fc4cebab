import { createHmac } from 'node:crypto';
import type { Secret } from '#runtime/secret.ts';

/** The signature header of a body that was signed at this time. */
export const signed = (body: string, at: Date, secret: Secret): string => {
  const seconds = Math.floor(at.getTime() / 1000);
  const digest = createHmac('sha256', secret.reveal()).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${digest}`;
};
