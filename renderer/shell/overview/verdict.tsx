import { Button, Text, VisuallyHidden } from '@mantine/core';
import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react';
import type { StackHealth } from '#contracts/operations/health.ts';
import type { ComponentName } from '#contracts/operations/stack.ts';
import type { Waiting } from '#contracts/operations/waiting.ts';
import { waitingWords } from '#contracts/operations/waiting-words.ts';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { callDesktop, desktopBridge } from '../../kit/api/desktop-bridge.ts';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { type Tone, ToneSign } from '../../kit/design/state-label.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { hrefOf } from '../../kit/routing/hash-location.ts';
import { PartDetail } from '../../operations/part-detail.tsx';
import { stackHealthWords } from '../../operations/stack-health/stack-health.words.ts';
import { partComponents, partPlaces } from '../../operations/stack-health/stack-parts.ts';
import { outcomesWords } from '../../servers/outcomes.words.ts';
import { overviewWords } from './overview.words.ts';
import {
  type PartProblem,
  type Problem,
  problemsOf,
  quietVerdict,
  type ServerProblem,
  unknownsOf,
} from './problems.ts';
import classes from './verdict.module.css';
import { verdictWords } from './verdict.words.ts';

interface RestartablePart {
  readonly component: ComponentName;
  readonly label: string;
}

/** Restarts a process of the stack; only the desktop can. */
const RestartButton = ({
  part,
  onAsk,
}: {
  readonly part: RestartablePart;
  readonly onAsk: (part: RestartablePart) => void;
}) => {
  const words = useWords(overviewWords);
  if (!desktopBridge()) return null;
  return (
    <Button
      variant="default"
      size="xs"
      aria-label={words.restartPart(part.label)}
      onClick={() => onAsk(part)}
    >
      {words.restart}
    </Button>
  );
};

interface RestartQuestionProps {
  readonly part: RestartablePart;
  readonly onClose: () => void;
}

/** Separate from the line that asked: that line may disappear while the component restarts. */
const RestartQuestion = ({ part: { component, label }, onClose }: RestartQuestionProps) => {
  const words = useWords(overviewWords);
  const restart = async () => {
    await callDesktop('stack.restart', { component });
    notifyDone(words.restarted(label));
  };
  return (
    <ConfirmAction
      title={words.restartQuestion(label)}
      act={words.restart}
      onAction={restart}
      onClose={onClose}
    >
      <Text>{words.restartText}</Text>
    </ConfirmAction>
  );
};

const Line = (props: {
  readonly name?: string;
  readonly tone: Tone;
  readonly title: ReactNode;
  readonly since?: string | null;
  readonly children?: ReactNode;
  readonly acts?: ReactNode;
}) => {
  const { name, tone, title, since = null, children, acts } = props;
  const words = useWords(verdictWords);
  return (
    <li className={classes.line} data-tone={tone} data-problem={name} tabIndex={-1}>
      <ToneSign tone={tone} />
      <div className={classes.text}>
        <strong className={classes.title}>{title}</strong>
        {since !== null && (
          <Text component="span" size="sm" c="dimmed">
            {words.since} <TimeAgo at={since} />
          </Text>
        )}
        {children}
      </div>
      {acts !== undefined && <div className={classes.acts}>{acts}</div>}
    </li>
  );
};

const GoTo = ({ to, children }: { readonly to: string; readonly children: string }) => (
  <Button component="a" href={hrefOf(to)} variant="default" size="xs">
    {children}
  </Button>
);

interface PartLineProps {
  readonly problem: PartProblem;
  readonly onRestart: (part: RestartablePart) => void;
}

const PartLine = ({ problem: { part, tone, since }, onRestart }: PartLineProps) => {
  const words = useWords(stackHealthWords);
  const can = useCan();
  const { name, state, detail } = part;
  const { to, permission, page } = partPlaces[name];
  const component = partComponents[name];
  return (
    <Line
      name={name}
      tone={tone}
      title={`${words.parts[name]}: ${words.states[state]}`}
      since={since}
      acts={
        <>
          {component && can('stack.write') && (
            <RestartButton part={{ component, label: words.parts[name] }} onAsk={onRestart} />
          )}
          {can.somewhere(permission) && <GoTo to={to}>{words.open[page]}</GoTo>}
        </>
      }
    >
      {detail && <PartDetail>{detail}</PartDetail>}
      <Text size="sm">
        {words.meanings[name]} {words.remedies[name]}
      </Text>
    </Line>
  );
};

const ServerLine = ({ problem: { server, shown, tone, since } }: { readonly problem: ServerProblem }) => {
  const words = useWords(verdictWords);
  const { remedies } = useWords(outcomesWords);
  const { outcome } = server.status;
  return (
    <Line
      name={server.id}
      tone={tone}
      title={
        <>
          <bdi>{server.name}</bdi> {words.servers[shown]}
        </>
      }
      since={since}
      acts={<GoTo to={`/servers/${server.id}`}>{words.openServer}</GoTo>}
    >
      {outcome && <Text size="sm">{remedies[outcome]}</Text>}
    </Line>
  );
};

const keyOf = (problem: Problem): string => (problem.kind === 'part' ? problem.part.name : problem.server.id);

/** More would push everything else below the window. */
const shownProblems = 5;

/** Whether everything works, or else what does not: since when, why, and where to go. */
export const Verdict = (props: {
  /** Undefined: not known yet, or not visible to the reader. */
  readonly health: StackHealth | undefined;
  readonly servers: readonly GameServer[];
  /** Undefined: not known yet. */
  readonly waiting: Waiting | undefined;
  /** What the verdict covers: a reader who sees less cannot be told that everything works. */
  readonly scope: 'all' | 'stack' | 'servers';
  /** Everything that the reader may see has been read. */
  readonly isRead: boolean;
  /** Reading some of it has failed. */
  readonly isUnreadable: boolean;
  /** The time since which nothing is known; null while everything is known. */
  readonly lastKnownAt: string | null;
}) => {
  const { health, servers, waiting, scope, isRead, isUnreadable, lastKnownAt } = props;
  const words = useWords(verdictWords);
  const { things } = useWords(waitingWords);
  const { parts } = useWords(stackHealthWords);
  const can = useCan();
  const [isWhole, setIsWhole] = useState(false);
  const [restarting, setRestarting] = useState<RestartablePart | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const problems = problemsOf(health, servers);
  const unknowns = unknownsOf(health, servers);
  const shown = isWhole ? problems : problems.slice(0, shownProblems);
  const hidden = problems.length - shown.length;
  // The button that showed them is gone: the first of them takes the focus.
  useEffect(() => {
    if (isWhole) list.current?.querySelectorAll<HTMLElement>('li')[shownProblems]?.focus();
  }, [isWhole]);

  const quiet = (): { readonly tone: Tone; readonly title: string } => {
    const verdict = quietVerdict({ isUnreadable, isRead, unknowns, servers, waiting });
    switch (verdict.say) {
      case 'unreadable':
        return { tone: 'warn', title: words.unreadable };
      case 'unread':
        return { tone: 'idle', title: words.unread };
      case 'waits':
        return { tone: 'warn', title: words.waits(verdict.count) };
      case 'unknown':
        return { tone: 'idle', title: words.notKnown(verdict.count) };
      case 'starting':
        return { tone: 'busy', title: words.starting(verdict.count) };
      case 'well':
        return { tone: 'ok', title: words.well[scope] };
    }
  };
  const isAway = lastKnownAt !== null;
  const isTroubled = problems.length > 0;
  return (
    <section aria-label={words.label}>
      {/* Announces only the number of lines: their times keep changing. */}
      <VisuallyHidden role="status">
        {isAway ? words.away : isTroubled ? words.problems(problems.length) : isRead ? quiet().title : ''}
      </VisuallyHidden>
      <ul className={classes.verdict} ref={list}>
        {isAway && (
          <Line
            name="away"
            tone="bad"
            title={words.away}
            since={lastKnownAt}
            acts={
              can('stack.write') && (
                <RestartButton part={{ component: 'api', label: parts.api }} onAsk={setRestarting} />
              )
            }
          >
            <Text size="sm">{words.awayText}</Text>
          </Line>
        )}
        {!isAway && (!isTroubled || isUnreadable) && (
          <Line {...quiet()}>
            {!isUnreadable && isRead && waiting && waiting.rows.length > 0 && (
              <Text size="sm">
                {waiting.rows.map(({ kind, count, to }, index) => (
                  <Fragment key={kind}>
                    {index > 0 && ' · '}
                    <PanelLink to={to} size="sm" underline="always">
                      {things[kind](count)}
                    </PanelLink>
                  </Fragment>
                ))}
              </Text>
            )}
          </Line>
        )}
        {!isAway &&
          shown.map((problem) =>
            problem.kind === 'part' ? (
              <PartLine key={keyOf(problem)} problem={problem} onRestart={setRestarting} />
            ) : (
              <ServerLine key={keyOf(problem)} problem={problem} />
            ),
          )}
        {!isAway && hidden > 0 && (
          <Line
            tone="warn"
            title={words.more(hidden)}
            acts={
              <Button variant="default" size="xs" onClick={() => setIsWhole(true)}>
                {words.showAll}
              </Button>
            }
          />
        )}
      </ul>
      {restarting && <RestartQuestion part={restarting} onClose={() => setRestarting(null)} />}
    </section>
  );
};
