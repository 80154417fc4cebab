import * as z from 'zod';
import { type EventKindName, eventKinds } from '#contracts/event-kinds.ts';
import type { EventRow } from '#contracts/events.ts';
import type { Language } from '../language/define-words.ts';
import { formatFor } from '../language/use-format.ts';
import { eventWords, type Told } from './event-words.ts';

export const isKnownKind = (kind: string): kind is EventKindName => Object.hasOwn(eventKinds, kind);

/** Marks that change the direction of writing, and breaks of lines, which a name must not bring into a sentence. */
const disturbing = /[\u202a-\u202e\u2066-\u2069\p{Cc}]+/gu;

/** A text from outside, kept apart from the sentence around it whatever its direction of writing. */
const isolated = (value: string): string => `\u2068${value.replace(disturbing, ' ')}\u2069`;

/** The fields of a payload whose values are texts from outside; the others are codes and numbers. */
const isText = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodString || (schema instanceof z.ZodNullable && isText(schema.unwrap() as z.ZodType));

const withIsolatedTexts = (schema: z.ZodObject, payload: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(payload).map(([name, value]) => {
      const field: z.ZodType | undefined = schema.shape[name];
      return [name, field && isText(field) && typeof value === 'string' ? isolated(value) : value];
    }),
  );

/** What has happened, in a sentence; an event of a version that this panel does not know is shown as it stands. */
export const eventSentence = (
  { kind, payload }: Pick<EventRow, 'kind' | 'payload'>,
  language: Language,
  serverName: string | null,
): string => {
  const raw = `${kind} ${JSON.stringify(payload)}`;
  if (!isKnownKind(kind)) return raw;
  const schema: z.ZodObject = eventKinds[kind].payload;
  const parsed = schema.safeParse(payload);
  if (!parsed.success) return raw;
  const say = eventWords[language].sentences[kind] as (payload: unknown, told: Told) => string;
  const { duration, exact } = formatFor(language);
  return say(withIsolatedTexts(schema, parsed.data), {
    duration,
    time: exact,
    serverName: serverName && isolated(serverName),
  });
};

/** What an event is called. */
export const kindName = (kind: string, language: Language): string =>
  isKnownKind(kind) ? eventWords[language].kinds[kind] : kind;
