import { useWords } from '../kit/language/use-words.ts';
import { FailureAlert } from './computer/desktop-actions/failure-alert.tsx';
import { wizardWords } from './computer/desktop-actions/wizard.words.ts';

/** The desktop's own reason why it could not do something, or refused to. */
export const ActionFailed = ({ error }: { readonly error: unknown }) => (
  <FailureAlert
    title={useWords(wizardWords).failed}
    detail={error instanceof Error ? error.message : String(error)}
  >
    {null}
  </FailureAlert>
);
