import { Alert, Stack, Text } from '@mantine/core';
import type { Language } from '#contracts/kernel/language.ts';
import { programFaultText } from '#contracts/kernel/program-fault-words.ts';
import type { ProgramFault } from '#contracts/kernel/program-faults.ts';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import type { ServerPower } from '#contracts/servers/power.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { Card } from '../../kit/design/card.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { problemTexts } from '../../kit/language/problem-texts.ts';
import { useTold } from '../../kit/language/use-told.ts';
import { presentLanguage, useWords } from '../../kit/language/use-words.ts';
import { taskOutcomesWords } from '../agents/task-outcomes.words.ts';
import { plainText } from '../plain-text.ts';
import { powerWords } from './power.words.ts';
import { LastCrash } from './power-acts.tsx';

/** The state of the game's process, how the last act on it ended, and why none can be started now. */
export const PowerNotes = ({
  server,
  power,
}: {
  readonly server: GameServer;
  readonly power: ServerPower;
}) => {
  const words = useWords(powerWords);
  const outcomes = useWords(taskOutcomesWords);
  const told = useTold();
  const { act, lastAct, process, obstacle } = power;
  const mayAct = useCan()('servers.power', server.id);
  if (!mayAct && !process) return null;
  return (
    <Card title={words.title}>
      <Stack gap="sm">
        {!mayAct && <Text c="dimmed">{words.mayNot}</Text>}
        {mayAct && obstacle && <Obstacle code={obstacle} />}
        {process?.report.pid && process.report.state !== 'stopped' && (
          <Text size="sm" c="dimmed">
            {!power.isAgentPresent && (
              <>
                {words.asOf} <TimeAgo at={process.at} />:{' '}
              </>
            )}
            {words.pid} {process.report.pid}
            {process.report.upMs !== null && (
              <>
                {' · '}
                {words.up}{' '}
                <TimeAgo at={new Date(Date.parse(process.at) - process.report.upMs).toISOString()} />
              </>
            )}
          </Text>
        )}
        {process?.report.program && <ProgramFaultNote program={process.report.program} />}
        {process?.report.detail && !process.report.program && (
          <Text size="sm">
            <bdi>{told(process.report.detail)}</bdi>
          </Text>
        )}
        {!act && lastAct?.outcome && lastAct.endedAt && (
          <Text size="sm">
            {words.last}: {words.lastActs[lastAct.action]} – {outcomes[lastAct.outcome]}
            {', '}
            <TimeAgo at={lastAct.endedAt} /> ({words.by(lastAct.byName)}).{' '}
            {lastAct.program ? (
              <bdi>{programText(lastAct.program, presentLanguage())}</bdi>
            ) : (
              lastAct.detail && <bdi>{told(lastAct.detail)}</bdi>
            )}
          </Text>
        )}
        {power.lastCrash && <LastCrash crash={power.lastCrash} />}
      </Stack>
    </Card>
  );
};

const programText = (program: ProgramFault, language: Language): string =>
  programFaultText({ ...program, values: program.values.map(plainText) }, language);

const ProgramFaultNote = ({ program }: { readonly program: ProgramFault }) => {
  const { title, looks } = useWords(powerWords).programFault;
  return (
    <Alert color="var(--tone-bad)" variant="outline" title={title}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <bdi>{programText(program, presentLanguage())}</bdi>
      </Text>
      <Text size="sm">{looks}</Text>
    </Alert>
  );
};

const Obstacle = ({ code }: { readonly code: NonNullable<ServerPower['obstacle']> }) => {
  const { meaning, remedy } = problemTexts(code, presentLanguage());
  return (
    <Alert color="var(--tone-idle)" variant="outline">
      <Text size="sm">{meaning}</Text>
      <Text size="sm">{remedy}</Text>
    </Alert>
  );
};
