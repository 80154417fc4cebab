import { ActionIcon } from '@mantine/core';
import { useWords } from '../language/use-words.ts';
import { helpButtonWords } from './help-button.words.ts';
import { toggleHelp, useIsHelpOpen } from './help-state.ts';

/** Opens and closes the help for its page. */
export const HelpButton = () => {
  const words = useWords(helpButtonWords);
  return (
    <ActionIcon
      variant="default"
      radius="xl"
      size={24}
      fz={14}
      data-help
      aria-label={words.help}
      aria-expanded={useIsHelpOpen()}
      onClick={toggleHelp}
    >
      ?
    </ActionIcon>
  );
};
