import { useEffect, useState } from 'react';
import { Card } from '../../../design/card.tsx';
import { Facts } from '../../../design/facts.tsx';
import { Loading } from '../../../design/loading.tsx';
import { callDesktop } from '../../../desktop/desktop-bridge.ts';
import { useWords } from '../../../language/use-words.ts';
import { ActionFailed } from '../../../wizard/action-failed.tsx';
import { useDesktopAction } from '../../../wizard/use-desktop-action.ts';
import { diagnosticsSectionWords } from './section.words.ts';

export const VersionsCard = () => {
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
