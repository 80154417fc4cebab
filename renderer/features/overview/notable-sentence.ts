import { type EventKindName, type EventPayload, eventKinds } from '#contracts/event-kinds.ts';
import type { EventRow } from '#contracts/events.ts';
import type { InWords, WordsOf } from '../../language/define-words.ts';
import type { notableEventsWords } from './notable-events.words.ts';

type Words = typeof notableEventsWords extends WordsOf<infer P> ? InWords<P> : never;

export interface SentenceParts {
  readonly words: Words;
  readonly time: (iso: string) => string;
  /** Null: it is not there any more, or not to be seen. */
  readonly serverName: (id: string) => string | null;
}

type Payload = Readonly<Record<string, unknown>>;

/** The payload as its kind declares it; null when it is of another version. */
const payloadOf = <Kind extends EventKindName>(kind: Kind, payload: Payload): EventPayload<Kind> | null => {
  const parsed = eventKinds[kind].payload.safeParse(payload);
  return parsed.success ? (parsed.data as EventPayload<Kind>) : null;
};

/** What has happened, in the reader's language; null for kinds that are no warnings, or of another version. */
export const notableSentence = (
  { kind, payload, serverId }: Pick<EventRow, 'kind' | 'payload' | 'serverId'>,
  { words, time, serverName }: SentenceParts,
): string | null => {
  const told = <Kind extends EventKindName>(
    wanted: Kind,
    say: (known: EventPayload<Kind>) => string,
  ): string | null => {
    const known = payloadOf(wanted, payload);
    return known && say(known);
  };
  switch (kind) {
    case 'license.changed':
      return told(kind, ({ to }) => words.license[to]);
    case 'database.recovered':
      return told(kind, ({ unreachableSince }) => words.databaseRecovered(time(unreachableSince)));
    case 'bot.state-changed':
      return told(kind, ({ to }) => (to === 'throttled' ? words.botThrottled : words.botChanged));
    case 'queue.job-failed':
      return told(kind, ({ queue, tries }) => words.jobFailed(queue, tries));
    case 'server.unreachable':
      return told(kind, ({ name }) => words.serverUnreachable(name));
    case 'agent.stale':
      return told(kind, ({ name }) => words.agentStale(name));
    case 'agent.refused':
      return told(kind, ({ address }) => {
        const server = serverId && serverName(serverId);
        return server ? words.agentRefusedFor(server, address) : words.agentRefused(address);
      });
    default:
      return null;
  }
};
