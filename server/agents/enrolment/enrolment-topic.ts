import { encodeMessage, type LiveTopic, type Subscriber } from '../../live/live-topic.ts';

export interface EnrolmentTopic extends LiveTopic {
  /** Call after a change has committed. */
  changed(serverId: string): void;
}

/** Announces whose enrolment has changed; subscribers then read it. */
export const createEnrolmentTopic = (): EnrolmentTopic => {
  const subscribers = new Set<Subscriber>();
  return {
    changed(serverId) {
      const message = encodeMessage({ type: 'enrolments', serverIds: [serverId] });
      // A slow subscriber is skipped: the panel also reads the enrolment every few seconds.
      for (const subscriber of subscribers)
        if (subscriber.isReady() && subscriber.maySee(serverId)) subscriber.send(message);
    },
    subscribe(subscriber) {
      subscriber.send(
        encodeMessage({ type: 'subscribed', topic: 'enrolments', cursor: null, resumed: false }),
      );
      subscriber.send(encodeMessage({ type: 'enrolments', serverIds: [] }));
      subscribers.add(subscriber);
      return { [Symbol.dispose]: () => void subscribers.delete(subscriber) };
    },
    [Symbol.dispose]: () => subscribers.clear(),
  };
};
