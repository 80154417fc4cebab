import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { ComponentName, ComponentStatus, StackStatus } from '#contracts/operations/stack.ts';
import { callDesktop, onDesktop } from '../../../kit/api/desktop-bridge.ts';
import { Card } from '../../../kit/design/card.tsx';
import { ConfirmAction } from '../../../kit/design/confirm-action.tsx';
import { Facts } from '../../../kit/design/facts.tsx';
import { Loading } from '../../../kit/design/loading.tsx';
import { PanelLink } from '../../../kit/design/panel-link.tsx';
import { StateLabel } from '../../../kit/design/state-label.tsx';
import { useWords } from '../../../kit/language/use-words.ts';
import { ActionFailed } from '../../action-failed.tsx';
import { useDesktopAction } from '../../use-desktop-action.ts';
import { BundleMaker } from '../diagnostics-parts/bundle-maker.tsx';
import { componentTones } from '../diagnostics-parts/component-tones.ts';
import { LastLines } from '../diagnostics-parts/last-lines.tsx';
import { OpenLogs } from '../diagnostics-parts/open-logs.tsx';
import { useTroubledPart } from '../diagnostics-parts/use-troubled-part.ts';
import { diagnosticsSectionWords } from './section.words.ts';

type Wanted = ComponentName | 'all';

/** Each process of the stack as the supervisor sees it, and a way to restart it. */
const PartsCard = ({ status }: { readonly status: StackStatus | null }) => {
  const words = useWords(diagnosticsSectionWords);
  const [asked, setAsked] = useState<Wanted | null>(null);
  const nameOf = (wanted: Wanted) => (wanted === 'all' ? words.all : words.names[wanted]);
  const restart = async (wanted: Wanted) => {
    await callDesktop('stack.restart', wanted === 'all' ? {} : { component: wanted });
  };
  return (
    <Card
      title={words.parts}
      actions={
        <Button size="xs" variant="default" onClick={() => setAsked('all')}>
          {words.restartAll}
        </Button>
      }
    >
      {status === null && <Loading />}
      {status?.components.map((component) => (
        <Part key={component.name} component={component} onRestart={() => setAsked(component.name)} />
      ))}
      {asked !== null && (
        <ConfirmAction
          title={words.question(nameOf(asked))}
          act={words.restart}
          onAction={() => restart(asked)}
          onClose={() => setAsked(null)}
        >
          <Text>{words.restartText}</Text>
        </ConfirmAction>
      )}
    </Card>
  );
};

interface PartProps {
  readonly component: ComponentStatus;
  readonly onRestart: () => void;
}

const Part = ({ component: { name, state, reason, restarts }, onRestart }: PartProps) => {
  const words = useWords(diagnosticsSectionWords);
  return (
    <Group justify="space-between" wrap="nowrap" align="start" data-part={name}>
      <Stack gap={0} miw={0}>
        <StateLabel tone={componentTones[state]}>
          {words.names[name]}: {words.states[state]}
          {restarts > 0 && `, ${words.restarts(restarts)}`}
        </StateLabel>
        {reason !== null && (
          <Text size="sm" c="dimmed" lang="en" style={{ overflowWrap: 'anywhere' }}>
            <bdi>{reason}</bdi>
          </Text>
        )}
      </Stack>
      <Button
        size="compact-sm"
        variant="default"
        style={{ flexShrink: 0 }}
        aria-label={words.restartOne(words.names[name])}
        onClick={onRestart}
      >
        {words.restart}
      </Button>
    </Group>
  );
};

const VersionsCard = () => {
  const words = useWords(diagnosticsSectionWords);
  const { error, run } = useDesktopAction();
  const [versions, setVersions] = useState<Readonly<Record<string, string>> | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, when the section appears
  useEffect(() => {
    void run(async () => setVersions(await callDesktop('diagnostics.versions', undefined)));
  }, []);
  const nameOf = (program: string) => words.programs[program as keyof typeof words.programs] ?? program;
  return (
    <Card title={words.runs}>
      {error !== null && <ActionFailed error={error} />}
      {versions === null && error === null && <Loading />}
      {versions && (
        <Facts
          facts={Object.entries(versions).map(([program, value]) => ({ label: nameOf(program), value }))}
        />
      )}
    </Card>
  );
};

/** Tools for finding out what is wrong; all of them work without the API. */
export const Section = () => {
  const words = useWords(diagnosticsSectionWords);
  const [status, setStatus] = useState<StackStatus | null>(null);
  const troubled = useTroubledPart(status);
  useEffect(() => {
    callDesktop('stack.status', undefined).then(setStatus, () => undefined);
    return onDesktop('stack.changed', setStatus);
  }, []);
  return (
    <Stack gap="md">
      <PartsCard status={status} />
      <Card title={words.bundle}>
        <BundleMaker />
      </Card>
      <Card title={words.logs} actions={<OpenLogs />}>
        <Text size="sm">{words.logsText}</Text>
        <LastLines component={troubled ?? 'supervisor'} />
        <PanelLink to="/logs">{words.logsPage}</PanelLink>
      </Card>
      <VersionsCard />
    </Stack>
  );
};
