import { Button } from '@mantine/core';
import { useWords } from '../../../kit/language/use-words.ts';
import { wizardWords } from '../../../operations/computer/desktop-actions/wizard.words.ts';

/** Leads from a view back to the previous one. */
export const BackButton = ({ onBack }: { readonly onBack: () => void }) => (
  <Button variant="subtle" onClick={onBack}>
    {useWords(wizardWords).back}
  </Button>
);
