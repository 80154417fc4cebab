import * as z from 'zod';
import { type EventKindName, eventKinds } from './event-kinds.ts';
import { eventWords, type Told } from './event-words.ts';
import type { EventRow } from './events.ts';
import type { Language } from './language.ts';

export const isKnownKind = (kind: string): kind is EventKindName => Object.hasOwn(eventKinds, kind);

/** Marks that change the direction of writing, and breaks of lines, which a name must not bring into a sentence. */
const disturbing = /[\u202a-\u202e\u2066-\u2069\p{Cc}]+/gu;

/** A text from outside, kept apart from the sentence around it whatever its direction of writing. */
export const isolated = (value: string): string => `\u2068${value.replace(disturbing, ' ')}\u2069`;

/** The fields of a payload whose values are texts from outside; the others are codes and numbers. */
const isText = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodString || (schema instanceof z.ZodNullable && isText(schema.unwrap() as z.ZodType));

const withTexts = (
  schema: z.ZodObject,
  payload: Record<string, unknown>,
  text: (value: string) => string,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(payload).map(([name, value]) => {
      const field: z.ZodType | undefined = schema.shape[name];
      const isShown = field && isText(field) && typeof value === 'string' && value !== '';
      return [name, isShown ? text(value) : value];
    }),
  );

/** What an event is told with. */
export interface Telling extends Told {
  /** Makes a text from outside fit to be shown within a sentence. */
  readonly text: (value: string) => string;
}

/** What has happened, in a sentence; null for an event of a version that is not known here. */
export const sayEvent = (
  { kind, payload }: Pick<EventRow, 'kind' | 'payload'>,
  language: Language,
  { text, ...told }: Telling,
): string | null => {
  if (!isKnownKind(kind)) return null;
  const schema: z.ZodObject = eventKinds[kind].payload;
  const parsed = schema.safeParse(payload);
  if (!parsed.success) return null;
  const say = eventWords[language].sentences[kind] as (payload: unknown, told: Told) => string;
  const serverName = told.serverName && text(told.serverName);
  return say(withTexts(schema, parsed.data, text), { ...told, serverName });
};

/** What an event is called. */
export const kindName = (kind: string, language: Language): string =>
  isKnownKind(kind) ? eventWords[language].kinds[kind] : kind;
