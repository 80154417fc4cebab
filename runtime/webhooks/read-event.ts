import * as z from 'zod';
import { valueFaultOf } from '#contracts/value-faults.ts';
import { Problem } from '../problem.ts';

const mostErrors = 20;

/**
 * Reads an event that a gateway or a shop has sent. None of its values are repeated.
 * @throws {Problem} with status 400, so that the sender shows that something is wrong and sends it again
 */
export const readEvent = <Event>(read: (body: unknown) => Event, body: unknown): Event => {
  try {
    return read(body);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const errors = error.issues
      .slice(0, mostErrors)
      .map((issue) => ({ path: issue.path.join('.'), ...valueFaultOf(issue) }));
    throw new Problem('INVALID_REQUEST', {
      detail: 'The event does not have the documented shape.',
      extensions: { errors },
    });
  }
};
