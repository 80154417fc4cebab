import { Button, Text } from '@mantine/core';
import { askAccess } from '../../kit/access/access-state.ts';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { ActionFailed } from '../../operations/action-failed.tsx';
import { servicesWords } from '../../operations/computer/desktop-services/services.words.ts';
import { ServicesTrouble, stepInWords } from '../../operations/computer/desktop-services/services-result.tsx';
import { useServices } from '../../operations/computer/desktop-services/use-services.ts';
import { AuthLayout } from '../access/auth-layout.tsx';

/** Shown in the desktop's window if the API does not know its key: how to get access. */
export const ServicesAccessPage = () => {
  const words = useWords(servicesWords);
  const { status, error, change } = useServices();
  const isOurs = status === null || status.access === 'own';
  const letIn = async () => {
    if (!isOurs) await change('access');
    void askAccess();
  };
  return (
    <AuthLayout title={words.accessTitle}>
      {!isOurs && <Text>{status.access === 'refused' ? words.accessRefused : words.accessMissing}</Text>}
      {error !== null && <ActionFailed error={error} />}
      {status?.work === null && status.last && <ServicesTrouble result={status.last.result} />}
      {status?.work && (
        <div role="status">
          <StateLabel tone="busy">{stepInWords(words, status.work.step)}</StateLabel>
        </div>
      )}
      <Button onClick={() => void letIn()} loading={status?.work !== null && status !== null}>
        {isOurs ? words.tryAgain : words.accessAct}
      </Button>
    </AuthLayout>
  );
};
