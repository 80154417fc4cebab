import type { Request } from 'express';
import { addressGroup } from '#runtime/http/address-group.ts';

/**
 * Whom a request counts against. What a proxy wrote may be no address at all (`unknown`, or one with a port); then the
 * proxy's own counts.
 */
export const countedAddress = (request: Request, address: string): string =>
  addressGroup(address) ?? addressGroup(request.socket.remoteAddress ?? '') ?? 'unknown';
