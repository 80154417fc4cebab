import { Alert, Button, List, Progress, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconFileZip } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { BundleProgress, BundleReport } from '#contracts/desktop/desktop-diagnostics.ts';
import { callDesktop, onDesktop } from '../../../kit/api/desktop-bridge.ts';
import { useFormat } from '../../../kit/language/use-format.ts';
import { useWords } from '../../../kit/language/use-words.ts';
import { ActionFailed } from '../../action-failed.tsx';
import { useDesktopAction } from '../../use-desktop-action.ts';
import { diagnosticsWords } from './diagnostics.words.ts';

/** Says what goes into a bundle, creates one, and shows the result. */
export const BundleMaker = () => {
  const words = useWords(diagnosticsWords);
  const { isActing, error, run } = useDesktopAction();
  const [progress, setProgress] = useState<BundleProgress | null>(null);
  const [report, setReport] = useState<BundleReport | null>(null);
  useEffect(() => onDesktop('diagnostics.progress', setProgress), []);
  const make = () =>
    run(async () => {
      setReport(null);
      setProgress(null);
      setReport(await callDesktop('diagnostics.make', undefined));
    });
  return (
    <Stack gap="sm">
      <Text>{words.makeText}</Text>
      <Text size="sm" c="dimmed">
        {words.personal}
      </Text>
      <Button
        variant="default"
        style={{ alignSelf: 'start' }}
        leftSection={<IconFileZip size={16} aria-hidden />}
        loading={isActing}
        onClick={make}
      >
        {words.make}
      </Button>
      {isActing && progress && (
        <Progress.Root>
          <Progress.Section value={(100 * progress.done) / progress.all} aria-label={words.making} />
        </Progress.Root>
      )}
      {error !== null && <ActionFailed error={error} />}
      {report && <Made report={report} />}
    </Stack>
  );
};

const Made = ({ report }: { readonly report: BundleReport }) => {
  const words = useWords(diagnosticsWords);
  const format = useFormat();
  const show = useDesktopAction();
  return (
    <Alert
      color="var(--tone-ok)"
      variant="outline"
      icon={<IconCircleCheck aria-hidden />}
      title={words.made}
      role="status"
    >
      <Stack gap="xs" align="start">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <bdi>{report.path}</bdi> ({format.bytes(report.bytes)})
        </Text>
        <Button
          size="xs"
          variant="default"
          loading={show.isActing}
          onClick={() => show.run(() => callDesktop('diagnostics.show', undefined))}
        >
          {words.show}
        </Button>
        {show.error !== null && <ActionFailed error={show.error} />}
        {report.missing.length > 0 && (
          <>
            <Text size="sm">{words.missing}:</Text>
            <List size="sm" lang="en">
              {report.missing.map(({ name, why }) => (
                <List.Item key={`${name} ${why}`}>
                  <bdi>
                    {name}: {why}
                  </bdi>
                </List.Item>
              ))}
            </List>
          </>
        )}
      </Stack>
    </Alert>
  );
};
