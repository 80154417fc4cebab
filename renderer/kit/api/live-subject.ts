import type { ClientMessage, LiveTopicName, ServerMessage } from '#contracts/kernel/live.ts';

/** A topic, with its server or component. */
export type LiveSubject = Omit<Extract<ClientMessage, { type: 'subscribe' }>, 'type' | 'since'>;

/** The same for the same subject, whatever the order of its properties. */
export const keyOf = ({ type: _type, since: _since, ...subject }: Record<string, unknown>): string =>
  JSON.stringify(Object.entries(subject).sort());

/** Whether a message belongs to a subscription. */
export const concerns = (message: ServerMessage, subject: LiveSubject): boolean => {
  switch (message.type) {
    case 'subscribed':
    case 'ended':
      return (
        message.topic === subject.topic &&
        message.serverId === subject.serverId &&
        message.component === subject.component
      );
    case 'lines':
      return subject.topic === 'console' && subject.serverId === message.serverId;
    case 'entry':
      return subject.topic === 'console' && subject.serverId === message.entry.serverId;
    case 'log':
      return subject.topic === 'log' && subject.component === message.component;
    default:
      return (message.type as string) === (subject.topic satisfies LiveTopicName);
  }
};
