import { type ClientMessage, type LiveTopicName, liveTopics } from '#contracts/kernel/live.ts';
import type { ProblemCode } from '#contracts/kernel/problems.ts';
import type { LogComponent } from '#contracts/operations/component-logs.ts';
import { type Actor, may, maySomewhere } from '../access/actor.ts';
import { seesAddresses } from '../access/sees-addresses.ts';
import { encodeMessage, type LiveTopics, type Subscriber } from './live-topic.ts';

/** Per connection; a panel shows a handful. */
const mostSubscriptions = 100;

/** The subscriptions of one connection. */
interface Subscriptions {
  subscribe(message: Extract<ClientMessage, { type: 'subscribe' }>): void;
  unsubscribe(message: Extract<ClientMessage, { type: 'unsubscribe' }>): void;
  /** Ends those that the actor may no longer see. */
  renew(): void;
  endAll(): void;
}

interface Subject {
  readonly topic: LiveTopicName;
  readonly serverId: string | null;
  readonly component: LogComponent | null;
}

/** Whether a message names a server or a component exactly when its topic belongs to one. */
export const namesSubjectRightly = ({ topic, serverId, component }: ClientMessage): boolean =>
  (liveTopics[topic].servers === 'one') === (serverId !== undefined) &&
  'component' in liveTopics[topic] === (component !== undefined);

export const openSubscriptions = ({
  topics,
  subscriber,
  actor,
}: {
  readonly topics: LiveTopics;
  readonly subscriber: Omit<Subscriber, 'maySee'>;
  /** With its current permissions. */
  readonly actor: () => Actor;
}): Subscriptions => {
  const subscriptions = new Map<string, { readonly subject: Subject; readonly subscription: Disposable }>();

  const isAllowed = ({ topic, serverId }: Subject): boolean => {
    const { permission, servers } = liveTopics[topic];
    if (permission === null) return true;
    if (servers === 'visible') return maySomewhere(actor(), permission);
    return may(actor(), permission, serverId ?? undefined);
  };

  const end = (subject: Subject, code: ProblemCode | null, detail: string) => {
    const { topic, serverId, component } = subject;
    subscriptions.get(keyOf(subject))?.subscription[Symbol.dispose]();
    subscriptions.delete(keyOf(subject));
    const named = {
      ...(serverId === null ? {} : { serverId }),
      ...(component === null ? {} : { component }),
    };
    subscriber.send(encodeMessage({ type: 'ended', topic, ...named, code, detail }));
  };
  const forbid = (subject: Subject) =>
    end(subject, 'FORBIDDEN', `This needs the permission ${liveTopics[subject.topic].permission}.`);

  return {
    subscribe({ topic, serverId = null, component = null, since = null }) {
      const subject = { topic, serverId, component };
      if (!isAllowed(subject)) return forbid(subject);
      const known = subscriptions.get(keyOf(subject));
      if (!known && subscriptions.size >= mostSubscriptions)
        return end(subject, 'RATE_LIMITED', 'Too many subscriptions are open.');
      known?.subscription[Symbol.dispose]();
      const { permission } = liveTopics[topic];
      const subscription = topics[topic].subscribe(
        {
          ...subscriber,
          maySee: (id) => permission !== null && may(actor(), permission, id),
          seesAddresses: () => seesAddresses(actor()),
        },
        { since, serverId, component },
      );
      subscriptions.set(keyOf(subject), { subject, subscription });
    },
    unsubscribe: ({ topic, serverId = null, component = null }) =>
      end({ topic, serverId, component }, null, 'Unsubscribed.'),
    renew() {
      for (const { subject } of [...subscriptions.values()]) if (!isAllowed(subject)) forbid(subject);
    },
    endAll() {
      for (const { subscription } of subscriptions.values()) subscription[Symbol.dispose]();
      subscriptions.clear();
    },
  };
};

const keyOf = ({ topic, serverId, component }: Subject): string => `${topic}:${serverId ?? component ?? ''}`;
