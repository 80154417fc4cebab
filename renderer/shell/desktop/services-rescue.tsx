import { Button, Stack, Text } from '@mantine/core';
import { desktopBridge } from '../../kit/api/desktop-bridge.ts';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { ActionFailed } from '../../operations/action-failed.tsx';
import { servicesWords } from '../../operations/computer/desktop-services/services.words.ts';
import { ServicesTrouble, stepInWords } from '../../operations/computer/desktop-services/services-result.tsx';
import { useServices } from '../../operations/computer/desktop-services/use-services.ts';

/** For when the panel is unreachable because its services are not running: create the missing ones, or give the services up. */
export const ServicesRescue = () => (desktopBridge()?.isWindows ? <Rescue /> : null);

const Rescue = () => {
  const words = useWords(servicesWords);
  const { status, error, change } = useServices();
  if (status?.mode !== 'services') return null;
  const { work, last } = status;
  const isWhole = status.services?.every(({ state }) => state !== 'absent') ?? false;
  return (
    <Stack gap="xs">
      <Text>{words.rescueText}</Text>
      {error !== null && <ActionFailed error={error} />}
      {work === null && last && <ServicesTrouble result={last.result} />}
      <div role="status">{work && <StateLabel tone="busy">{stepInWords(words, work.step)}</StateLabel>}</div>
      {!isWhole && (
        <Button variant="default" disabled={work !== null} onClick={() => void change('install')}>
          {words.repair}
        </Button>
      )}
      <Button variant="default" disabled={work !== null} onClick={() => void change('uninstall')}>
        {words.giveUp}
      </Button>
    </Stack>
  );
};
