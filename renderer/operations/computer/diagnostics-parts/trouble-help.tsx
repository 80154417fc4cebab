import { Divider, Stack, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { LogComponent } from '#contracts/operations/component-logs.ts';
import { useWords } from '../../../kit/language/use-words.ts';
import classes from '../desktop-actions/wizard.module.css';
import { BundleMaker } from './bundle-maker.tsx';
import { diagnosticsWords } from './diagnostics.words.ts';
import { LastLines } from './last-lines.tsx';
import { OpenLogs } from './open-logs.tsx';

/** For when the panel's own pages are unreachable: the end of the logs, and a bundle for a helper. */
export const TroubleHelp = ({
  component,
  isNeeded,
}: {
  /** The component whose log is shown first. */
  readonly component: LogComponent;
  /** There is clearly a problem; otherwise the reader expands it if needed. */
  readonly isNeeded: boolean;
}) => {
  const words = useWords(diagnosticsWords);
  const [isOpen, setIsOpen] = useState(isNeeded);
  useEffect(() => {
    if (isNeeded) setIsOpen(true);
  }, [isNeeded]);
  return (
    <>
      <Divider />
      <details
        className={classes.folded}
        open={isOpen}
        onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
      >
        <summary>{words.isWrong}</summary>
        {isOpen && (
          <Stack gap="sm" mt="sm">
            <Title order={2}>{words.lines}</Title>
            <LastLines component={component} />
            <OpenLogs />
            <Title order={2}>{words.help}</Title>
            <BundleMaker />
          </Stack>
        )}
      </details>
    </>
  );
};
