import { Button, Stack, Text } from '@mantine/core';
import type { Enrolment } from '#contracts/servers/agent-enrolment.ts';
import type { Agent } from '#contracts/servers/agents.ts';
import { games } from '#contracts/servers/games.ts';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { StateLabel, type Tone } from '../../kit/design/state-label.tsx';
import { problemWords } from '../../kit/language/problem-words.ts';
import { useTold } from '../../kit/language/use-told.ts';
import { useLanguage, useWords } from '../../kit/language/use-words.ts';
import { hrefOf } from '../../kit/routing/hash-location.ts';
import { useLiveServers } from '../use-live-servers.ts';
import { asProblem } from './agent-notices.tsx';
import { enrolWords } from './enrol.words.ts';
import { type EnrolStep, type EnrolStepState, enrolProgress, enrolSteps } from './enrol-progress.ts';

const tones: Readonly<Record<EnrolStepState, Tone>> = {
  done: 'ok',
  next: 'busy',
  failed: 'warn',
  later: 'idle',
};

interface EnrolStepsProps {
  readonly agent: Agent;
  readonly enrolment: Enrolment | null;
}

/** The live progress of the new agent, and what to do where it is stuck. */
export const EnrolSteps = ({ agent, enrolment }: EnrolStepsProps) => {
  const words = useWords(enrolWords);
  const server = useLiveServers().data?.rows.find(({ id }) => id === agent.serverId);
  const players = server?.status.players ?? null;
  const states = enrolProgress({ enrolment, agent, players });
  const textOf = (step: EnrolStep) => {
    if (step === 'players' && states.players === 'done' && players !== null)
      return words.playersSeen(players);
    return words.stepTexts[step][states[step]];
  };
  return (
    <div role="status">
      <Stack gap="xs" component="ol" p={0} m={0} aria-label={words.progress} style={{ listStyle: 'none' }}>
        {enrolSteps.map((step) => (
          <li key={step}>
            <StateLabel tone={tones[states[step]]}>{textOf(step)}</StateLabel>
            {states[step] === 'failed' && <Remedy step={step} agent={agent} enrolment={enrolment} />}
            {(step === 'downloaded' || step === 'connected') && states[step] === 'next' && (
              <Text size="sm" c="dimmed" ml="lg">
                {step === 'downloaded' ? words.notDownloaded : words.asksFirst}
              </Text>
            )}
          </li>
        ))}
      </Stack>
      {states.players === 'done' && (
        <Button component="a" mt="md" href={hrefOf(`/servers/${encodeURIComponent(agent.serverId)}`)}>
          {words.toServer}
        </Button>
      )}
    </div>
  );
};

const Remedy = ({ step, agent, enrolment }: EnrolStepsProps & { readonly step: EnrolStep }) => {
  const words = useWords(enrolWords);
  const language = useLanguage();
  const told = useTold();
  const refused = (code: string, detail: string | null) => {
    const { title, text, remedy } = problemWords(asProblem({ code, detail }), language);
    return [title, text, ...(remedy && !text.includes(remedy) ? [remedy] : [])]
      .join('. ')
      .replaceAll('..', '.');
  };
  const { lastRefusal } = agent;
  const lines = {
    downloaded: [],
    started: enrolment?.lastFailure
      ? [refused(enrolment.lastFailure.code, null), words.from(enrolment.lastFailure.address)]
      : [words.isOver],
    connected: lastRefusal ? [refused(lastRefusal.code, lastRefusal.detail)] : [],
    // The agent names its own setup where there is nothing more to say.
    console: [
      ...(agent.detail && !agent.detail.endsWith(' setup') ? [told(agent.detail)] : []),
      words.consoleRemedy(games[agent.game].name),
    ],
    players: [...(agent.detail ? [told(agent.detail)] : []), words.playersRemedy(games[agent.game].name)],
  }[step];
  return (
    <Stack gap={2} ml="lg">
      {lines.map((line) => (
        <Text key={line} size="sm">
          <bdi>{line}</bdi>
        </Text>
      ))}
      {step === 'players' && (
        <PanelLink to={`/servers/${encodeURIComponent(agent.serverId)}`}>{words.toServer}</PanelLink>
      )}
    </Stack>
  );
};
