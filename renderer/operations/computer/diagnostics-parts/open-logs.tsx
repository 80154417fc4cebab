import { Button } from '@mantine/core';
import { IconFolderOpen } from '@tabler/icons-react';
import { callDesktop } from '../../../kit/api/desktop-bridge.ts';
import { useWords } from '../../../kit/language/use-words.ts';
import { ActionFailed } from '../../action-failed.tsx';
import { useDesktopAction } from '../../use-desktop-action.ts';
import { diagnosticsWords } from './diagnostics.words.ts';

/** The logs folder, in the system's file manager. */
export const OpenLogs = () => {
  const words = useWords(diagnosticsWords);
  const { isActing, error, run } = useDesktopAction();
  return (
    <>
      <Button
        variant="default"
        style={{ alignSelf: 'start' }}
        leftSection={<IconFolderOpen size={16} aria-hidden />}
        loading={isActing}
        onClick={() => run(() => callDesktop('logs.open', undefined))}
      >
        {words.openLogs}
      </Button>
      {error !== null && <ActionFailed error={error} />}
    </>
  );
};
