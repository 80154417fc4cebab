import { Group, List, Paper, Progress, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { type ComponentType, useEffect, useId, useRef, useState } from 'react';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { Card } from '../../kit/design/card.tsx';
import { Loading } from '../../kit/design/loading.tsx';
import { Page as Frame } from '../../kit/design/page.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useTold } from '../../kit/language/use-told.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { AgentStep } from './agent-step.tsx';
import { ClusterStep } from './cluster-step.tsx';
import { CommandStep } from './command-step.tsx';
import { DeliveryStep } from './delivery-step.tsx';
import classes from './first-steps.module.css';
import { firstStepsWords } from './first-steps.words.ts';
import {
  type OnboardingStatus,
  progressOf,
  type StepBodyProps,
  type StepFacts,
  type StepState,
  stepFacts,
} from './onboarding-status.ts';
import { PointsStep } from './points-step.tsx';
import { ProductStep } from './product-step.tsx';
import { ServerStep } from './server-step.tsx';
import { useOnboardingStatus } from './use-onboarding-status.ts';

const tones = { online: 'ok', starting: 'busy', offline: 'bad', unknown: 'busy' } as const;
/** The number of players shown. */
const few = 5;

const OnlineStep = ({ status: { servers = [] } }: StepBodyProps) => {
  const { online: words } = useWords(firstStepsWords);
  return (
    <Stack gap="sm">
      <Text>{words.text}</Text>
      {servers.length === 0 && <Text>{words.none}</Text>}
      {servers.slice(0, few).map((server) => (
        <ServerLine key={server.id} server={server} />
      ))}
    </Stack>
  );
};

const ServerLine = ({ server: { id, name, host, status } }: { readonly server: GameServer }) => {
  const { online: words } = useWords(firstStepsWords);
  const { state, detail, answeredAt } = status;
  const told = useTold();
  const needsAgent = host === null && status.agentMode === null;
  return (
    <div>
      <StateLabel tone={tones[state]}>
        <bdi>{name}</bdi>: {words.states[state]}
      </StateLabel>
      {state !== 'online' && (
        <Text c="dimmed" size="sm" component="div">
          {detail && <bdi>{told(detail)}</bdi>} {needsAgent && words.agentFirst}
          {answeredAt && (
            <div>
              {words.answered}: <TimeAgo at={answeredAt} />
            </div>
          )}
          <div>
            <PanelLink to={`/servers/${encodeURIComponent(id)}/settings`}>{words.settings}</PanelLink>
          </div>
        </Text>
      )}
    </div>
  );
};

/** Anyone who reads it has signed in, so it is done. */
const OwnerStep = () => <Text>{useWords(firstStepsWords).owner}</Text>;

interface Step extends StepFacts {
  /** The instructions, and once the step is done, the result. */
  readonly Body: ComponentType<StepBodyProps>;
  /** Its result is worth a look: it does not close when the next step's turn comes. */
  readonly staysOpen?: boolean;
}

const bodies = {
  owner: OwnerStep,
  cluster: ClusterStep,
  server: ServerStep,
  online: OnlineStep,
  command: CommandStep,
  agent: AgentStep,
  product: ProductStep,
  points: PointsStep,
  delivery: DeliveryStep,
} as const satisfies Record<StepFacts['id'], ComponentType<StepBodyProps>>;

/** The guide, in its order. A new step needs a line in onboarding-status.ts, a body here and its words. */
const steps: readonly Step[] = stepFacts.map((facts) => ({
  ...facts,
  Body: bodies[facts.id],
  staysOpen: facts.id === 'command' || facts.id === 'delivery',
}));

/** A step; the next one opens automatically, the others on request. */
const StepCard = ({
  step: { id, Body, staysOpen = false },
  number,
  state,
  isNext,
  status,
}: {
  readonly step: Step;
  readonly number: number;
  readonly state: StepState;
  readonly isNext: boolean;
  readonly status: OnboardingStatus;
}) => {
  const words = useWords(firstStepsWords);
  const bodyId = useId();
  /** Null: open when it is the step's turn. */
  const [isWanted, setIsWanted] = useState<boolean | null>(null);
  const [wasNext, setWasNext] = useState(isNext);
  const toggle = useRef<HTMLButtonElement>(null);
  const wasNextBefore = useRef(isNext);
  useEffect(() => {
    if (isNext) setWasNext(true);
    // The step before has disappeared along with the focus: a keyboard user continues here.
    const isNewlyNext = isNext && !wasNextBefore.current;
    if (isNewlyNext && document.activeElement === document.body) toggle.current?.focus();
    wasNextBefore.current = isNext;
  }, [isNext]);
  const isOpen = isWanted ?? (isNext || (staysOpen && wasNext));
  /** When closed, it keeps what was typed into it. */
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <Paper
      component="li"
      withBorder
      p="md"
      bg="var(--surface-card)"
      {...(isNext && { 'aria-current': 'step' as const })}
    >
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={2}>
            <UnstyledButton
              ref={toggle}
              className={classes.toggle}
              aria-expanded={isOpen}
              aria-controls={bodyId}
              onClick={() => setIsWanted(!isOpen)}
            >
              <Group gap="xs" wrap="nowrap" component="span">
                <Chevron size={16} aria-hidden />
                <span>
                  {number}. {words.steps[id]}
                </span>
              </Group>
            </UnstyledButton>
          </Title>
          {state === 'done' && <StateLabel tone="ok">{words.done}</StateLabel>}
          {state === 'open' && (
            <StateLabel tone={isNext ? 'busy' : 'idle'}>{isNext ? words.next : words.open}</StateLabel>
          )}
          {state === 'unknown' && <StateLabel tone="warn">{words.unknown}</StateLabel>}
        </Group>
        <div id={bodyId} hidden={!isOpen}>
          {wasOpen && (state === 'unknown' ? <Text>{words.unknownText}</Text> : <Body status={status} />)}
        </div>
      </Stack>
    </Paper>
  );
};

const AllDone = () => {
  const { allDone: words } = useWords(firstStepsWords);
  const can = useCan();
  return (
    <Card title={words.title}>
      <Stack gap="xs">
        <Text>{words.text}</Text>
        <List>
          <List.Item>
            <PanelLink to="/">{words.overview}</PanelLink>
          </List.Item>
          {can('store.write') && (
            <List.Item>
              <PanelLink to="/store">{words.store}</PanelLink>
            </List.Item>
          )}
          {can('admins.write') && (
            <List.Item>
              <PanelLink to="/admins">{words.admins}</PanelLink>
            </List.Item>
          )}
          {can('settings.write') && (
            <List.Item>
              <PanelLink to="/discord">{words.discord}</PanelLink>
            </List.Item>
          )}
          {can('backups.read') && (
            <List.Item>
              <PanelLink to="/backups">{words.backups}</PanelLink>
            </List.Item>
          )}
          {can.somewhere('players.read') && (
            <List.Item>
              <PanelLink to="/players">{words.players}</PanelLink>
            </List.Item>
          )}
        </List>
      </Stack>
    </Card>
  );
};

const wholePercent = 100;

export const Page = () => {
  const words = useWords(firstStepsWords);
  const { status, isPending, error } = useOnboardingStatus();
  const { states, done, next, isAllDone } = progressOf(status);
  const says = words.progress(done, steps.length);
  return (
    <Frame title={words.title} description={words.description}>
      {isPending ? (
        <Loading rows={steps.length} />
      ) : (
        <>
          <div>
            <Text role="status" mb={4}>
              {says}
            </Text>
            <Progress value={(done / steps.length) * wholePercent} aria-label={says} />
          </div>
          {error && next === null && <Trouble error={error} />}
          {isAllDone && (
            <div role="status">
              <AllDone />
            </div>
          )}
          <ol className={classes.steps}>
            {steps.map((step, index) => (
              <StepCard
                key={step.id}
                step={step}
                number={index + 1}
                state={states[index] ?? 'unknown'}
                isNext={step.id === next}
                status={status}
              />
            ))}
          </ol>
        </>
      )}
    </Frame>
  );
};
