import { Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { StackStatus } from '#contracts/operations/stack.ts';
import { callDesktop, onDesktop } from '../../../kit/api/desktop-bridge.ts';
import { Card } from '../../../kit/design/card.tsx';
import { Facts } from '../../../kit/design/facts.tsx';
import { Loading } from '../../../kit/design/loading.tsx';
import { PanelLink } from '../../../kit/design/panel-link.tsx';
import { useWords } from '../../../kit/language/use-words.ts';
import { ActionFailed } from '../../action-failed.tsx';
import { useDesktopAction } from '../../use-desktop-action.ts';
import { BundleMaker } from '../diagnostics-parts/bundle-maker.tsx';
import { LastLines } from '../diagnostics-parts/last-lines.tsx';
import { OpenLogs } from '../diagnostics-parts/open-logs.tsx';
import { useTroubledPart } from '../diagnostics-parts/use-troubled-part.ts';
import { PartsCard } from './parts-card.tsx';
import { diagnosticsSectionWords } from './section.words.ts';

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
