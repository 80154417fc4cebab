import { Button, Stack, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Facts } from '../../design/facts.tsx';
import { callDesktop } from '../../desktop/desktop-bridge.ts';
import { useWords } from '../../language/use-words.ts';
import { ActionFailed } from '../action-failed.tsx';
import { FailureAlert } from '../failure-alert.tsx';
import { useDesktopAction } from '../use-desktop-action.ts';
import { firstRunWords } from './first-run.words.ts';
import { lacksPostgres } from './lacks-postgres.ts';
import type { StepProps } from './step-props.ts';

export interface BeginStepProps extends StepProps {
  /** Empty: without Discord. */
  readonly token: string;
}

/** What was chosen, once more; then it is done at one stroke. */
export const BeginStep = ({ state, draft, keep, token }: BeginStepProps) => {
  const words = useWords(firstRunWords);
  const { begin, folder } = words;
  const act = useDesktopAction();
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isDone, setIsDone] = useState(false);
  const { home, apiPort, postgresPort, isOpen, clientId, guildId, portal } = draft;
  /** An installation is there: its own settings count. Null until it was looked at. */
  const [isTakenUp, setIsTakenUp] = useState<boolean | null>(null);
  useEffect(() => {
    callDesktop('firstRun.checkHome', { home }).then(
      ({ outcome }) => setIsTakenUp(outcome === 'taken-up'),
      // Beginning looks at it once more, and says what is wrong.
      () => setIsTakenUp(false),
    );
  }, [home]);
  const back = state.reason === 'no-portal' ? 'portal' : isTakenUp ? 'folder' : 'discord';
  const finish = () =>
    act.run(async () => {
      setRefusal(null);
      const discord = isTakenUp || token.trim() === '' ? null : { token: token.trim(), clientId, guildId };
      const chosen = { home, apiPort, postgresPort, isOpen, discord, portal };
      const answer = await callDesktop('firstRun.finish', chosen);
      if (answer.outcome === 'refused') setRefusal(answer.detail);
      else setIsDone(true);
    });
  const portalName = portal && (portal.kind === 'demo' ? begin.portalDemo : <bdi>{portal.url}</bdi>);
  const settings = [
    { label: begin.address, value: `http://localhost:${apiPort}` },
    { label: begin.reach, value: isOpen ? begin.reachAll : begin.reachHere },
    { label: begin.discord, value: token.trim() === '' ? begin.discordOff : begin.discordOn },
  ];
  return (
    <Stack>
      <Title order={2}>{begin.title}</Title>
      <Text>{isTakenUp ? folder.takenUp : begin.text}</Text>
      <Facts
        facts={[
          { label: begin.home, value: <bdi>{home}</bdi> },
          ...(portalName && (isTakenUp === false || state.reason === 'no-portal')
            ? [{ label: begin.portal, value: portalName }]
            : []),
          ...(isTakenUp === false ? settings : []),
        ]}
      />
      {refusal !== null && (
        <FailureAlert title={begin.refused} detail={refusal}>
          {null}
        </FailureAlert>
      )}
      {act.error !== null && <ActionFailed error={act.error} />}
      <div role="status">{act.isActing && portal?.kind === 'demo' && begin.portalComing}</div>
      <Button
        onClick={finish}
        loading={act.isActing || isDone}
        disabled={isTakenUp === null || lacksPostgres(state)}
      >
        {begin.begin}
      </Button>
      <Button variant="subtle" onClick={() => keep({ step: back })} disabled={act.isActing || isDone}>
        {words.back}
      </Button>
    </Stack>
  );
};
