import type { ErrorRequestHandler } from 'express';
import type pg from 'pg';
import { licensesHttp } from '#contracts/license/licenses.ts';
import type { Clock } from '#runtime/clock.ts';
import { countedAddress } from '#runtime/http/address-group.ts';
import { Problem } from '#runtime/problem.ts';
import { isDatabaseUnavailable } from '../database/database-fault.ts';
import { countRequests, type RateLimitScope } from './counting-statement.ts';
import { createWaitingAddresses } from './waiting-addresses.ts';

/** Counts one request. @returns whole seconds to wait if it is over the limit, otherwise null */
export type CountMalformed = (scope: RateLimitScope, address: string) => Promise<number | null>;

const scopes = ['activate', 'validate'] as const satisfies readonly RateLimitScope[];

const countingStatement = (scope: RateLimitScope): string => `
  with request as (select $1::text as address), counted as (${countRequests(scope)})
  select granted, wait_ms::float8 as wait_ms from counted`;

export const createCountMalformed = (pool: pg.Pool, clock: Clock): CountMalformed => {
  const waiting = {
    activate: createWaitingAddresses(clock),
    validate: createWaitingAddresses(clock),
  };
  return async (scope, address) => {
    const secondsLeft = waiting[scope].secondsLeft(address);
    if (secondsLeft !== null) return secondsLeft;
    const { rows } = await pool.query<{ granted: number; wait_ms: number }>({
      name: `count-malformed-${scope}`,
      text: countingStatement(scope),
      values: [address],
    });
    const [counted] = rows;
    return counted && counted.granted > 0 ? null : waiting[scope].remember(address, counted?.wait_ms ?? 0);
  };
};

/** The refusals of a body before a license is looked up. */
const malformed = ['INVALID_REQUEST', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];

/** A malformed body uses up the rate of its address like any other request; over the limit, the answer is 429. */
export const limitMalformed =
  (count: CountMalformed): ErrorRequestHandler =>
  (error, request, response, next) => {
    // Not by the path: Express accepts other spellings of it, too.
    const scope = scopes.find((name) => licensesHttp[name] === response.locals.endpoint);
    if (!scope || !(error instanceof Problem && malformed.includes(error.code))) return next(error);
    count(scope, countedAddress(request.ip, request.socket.remoteAddress)).then(
      (seconds) => next(seconds === null ? error : tooMany(seconds)),
      // The fault of the body is reported, whether it was counted or not.
      (failure: unknown) => next(isDatabaseUnavailable(failure) ? error : failure),
    );
  };

const tooMany = (seconds: number): Problem =>
  new Problem('RATE_LIMITED', {
    detail: `Wait ${seconds} s before the next request.`,
    headers: { 'Retry-After': String(seconds) },
  });
