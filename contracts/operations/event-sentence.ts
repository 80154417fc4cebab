import * as z from 'zod';
import { type EventKindName, eventKinds } from '../kernel/event-kinds.ts';
import type { Language } from '../kernel/language.ts';
import type { EventRow } from './event-row.ts';
import { eventWords, type Told } from './event-words.ts';

const isKnownKind = (kind: string): kind is EventKindName => Object.hasOwn(eventKinds, kind);

/** Whether a payload field, or each value in its list, is text from outside; the others are codes and numbers. */
const isText = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodString || (schema instanceof z.ZodNullable && isText(schema.unwrap() as z.ZodType));

const withTexts = (
  schema: z.ZodObject,
  payload: Record<string, unknown>,
  text: (value: string, name: string) => string,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(payload).map(([name, value]) => {
      const field: z.ZodType | undefined = schema.shape[name];
      const shown = (one: unknown) => (typeof one === 'string' && one !== '' ? text(one, name) : one);
      if (field instanceof z.ZodArray && isText(field.element as z.ZodType) && Array.isArray(value))
        return [name, value.map(shown)];
      return [name, field && isText(field) ? shown(value) : value];
    }),
  );

/** What a sentence about an event is made with. */
interface Telling extends Told {
  /** Makes a text from outside safe to show within a sentence. */
  readonly text: (value: string) => string;
  /** What a component of the stack says about its state, in the reader's language. */
  readonly detail?: (said: string) => string;
}

/** What happened, in a sentence; null for an event of a version that is not known here. */
export const sayEvent = (
  { kind, payload }: Pick<EventRow, 'kind' | 'payload'>,
  language: Language,
  { text, detail = (said) => said, ...told }: Telling,
): string | null => {
  if (!isKnownKind(kind)) return null;
  const schema: z.ZodObject = eventKinds[kind].payload;
  const parsed = schema.safeParse(payload);
  if (!parsed.success) return null;
  const say = eventWords[language].sentences[kind] as (payload: unknown, told: Told) => string;
  const serverName = told.serverName && text(told.serverName);
  const shown = (value: string, name: string) => text(name === 'detail' ? detail(value) : value);
  return say(withTexts(schema, parsed.data, shown), { ...told, serverName });
};

/** The name of a kind of event. */
export const kindName = (kind: string, language: Language): string =>
  isKnownKind(kind) ? eventWords[language].kinds[kind] : kind;
