import * as z from 'zod';
import { valueFaultOf } from '#contracts/kernel/value-faults.ts';
import { Problem } from '../problem.ts';

const mostErrors = 20;

type Issue = z.core.$ZodIssue;

/** Of a value with several forms: what is wrong with the form that it comes closest to, so that the answer names its field. */
const deepest = (issue: Issue): readonly Issue[] => {
  if (issue.code !== 'invalid_union') return [issue];
  const forms = issue.errors.filter((form) =>
    form.every(({ code, path }) => code !== 'invalid_type' || path.length > 0),
  );
  const [closest = []] = forms.toSorted((a, b) => a.length - b.length);
  return closest.length === 0
    ? [issue]
    : closest.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
};

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
      .flatMap(deepest)
      .slice(0, mostErrors)
      .map((issue) => ({ path: issue.path.join('.'), ...valueFaultOf(issue) }));
    throw new Problem('INVALID_REQUEST', {
      detail: `The event does not have the documented shape: ${errors.map(({ path, message }) => `${path || 'it'} ${message}`).join('; ')}.`,
      extensions: { errors },
    });
  }
};
