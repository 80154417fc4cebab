import type { LogComponent } from '#contracts/component-logs.ts';
import type { Log } from '#runtime/log.ts';
import type { Redact } from '#runtime/redact.ts';
import type { LiveTopic } from '../live/live-topic.ts';
import { createLogFollower, type LogFollower } from './log-follower.ts';
import { readPosition } from './log-position.ts';

export interface ComponentLogTopicOptions {
  readonly folder: string;
  readonly redact: Redact;
  readonly log: Log;
}

/** The log of one component as it grows. */
export const createComponentLogTopic = (options: ComponentLogTopicOptions): LiveTopic => {
  const followers = new Map<LogComponent, LogFollower>();

  const followerOf = (component: LogComponent): LogFollower => {
    const present = followers.get(component);
    if (present) return present;
    const follower = createLogFollower({ ...options, component });
    followers.set(component, follower);
    return follower;
  };

  return {
    subscribe(subscriber, { component, since }) {
      if (!component) throw new TypeError('a log is always that of one component');
      return followerOf(component).join(subscriber, since === null ? null : readPosition(since));
    },
    [Symbol.dispose]() {
      for (const follower of followers.values()) follower[Symbol.dispose]();
    },
  };
};
