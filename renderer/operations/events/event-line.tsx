import {
  IconAlertTriangleFilled,
  IconBellFilled,
  IconCircleXFilled,
  IconInfoCircle,
} from '@tabler/icons-react';
import type { EventRow, Severity } from '#contracts/operations/event-row.ts';
import { kindName } from '#contracts/operations/event-sentence.ts';
import { eventWords } from '#contracts/operations/event-words.ts';
import type { Tone } from '../../kit/design/state-label.tsx';
import { useLanguage, useWords } from '../../kit/language/use-words.ts';
import { RecordRow } from '../../kit/records/record-row.tsx';
import { eventSentence } from '../event-sentence.ts';
import classes from './event-row.module.css';
import { eventsWords } from './events.words.ts';

export const severityTones: Readonly<Record<Severity, Tone>> = {
  info: 'idle',
  notice: 'busy',
  warning: 'warn',
  alert: 'bad',
};
const icons = {
  info: IconInfoCircle,
  notice: IconBellFilled,
  warning: IconAlertTriangleFilled,
  alert: IconCircleXFilled,
} as const;

/** An event in one line. */
export const EventLine = ({
  event,
  serverName,
}: {
  readonly event: EventRow;
  readonly serverName: string | null;
}) => {
  const language = useLanguage();
  const Icon = icons[event.severity];
  return (
    <RecordRow at={event.at} columns={classes.columns}>
      <span className={classes.icon}>
        <Icon
          size={16}
          color={`var(--tone-${severityTones[event.severity]})`}
          role="img"
          aria-label={eventWords[language].severities[event.severity]}
        />
      </span>
      <span className={classes.kind}>{kindName(event.kind, language)}</span>
      <span className={classes.sentence}>{eventSentence(event, language, serverName)}</span>
      <span className={classes.server}>
        <bdi>{serverName}</bdi>
      </span>
    </RecordRow>
  );
};

/** The names of the columns. */
export const EventHead = () => {
  const words = useWords(eventsWords);
  return (
    <span className={`${classes.head} ${classes.columns}`}>
      <span>{words.when}</span>
      <span />
      <span>{words.kind}</span>
      <span>{words.what}</span>
      <span>{words.server}</span>
    </span>
  );
};
