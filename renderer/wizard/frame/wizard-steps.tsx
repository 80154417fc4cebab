import { VisuallyHidden } from '@mantine/core';
import { useWords } from '../../language/use-words.ts';
import { frameWords } from './frame.words.ts';
import classes from './wizard-frame.module.css';

/** The steps between an installed program and the panel. */
export const wizardSteps = ['computer', 'license', 'owner'] as const;
export type WizardStep = (typeof wizardSteps)[number];

/** The progress of the first run, visible and audible. */
export const WizardSteps = ({ present }: { readonly present: WizardStep }) => {
  const words = useWords(frameWords);
  const at = wizardSteps.indexOf(present);
  return (
    <nav aria-label={words.steps}>
      <VisuallyHidden role="status">
        {words.place(at + 1, wizardSteps.length)}: {words.names[present]}
      </VisuallyHidden>
      <ol className={classes.steps}>
        {wizardSteps.map((step, index) => (
          <li
            key={step}
            className={classes.step}
            data-reached={index <= at || undefined}
            aria-current={index === at ? 'step' : undefined}
          >
            {index + 1}. {words.names[step]}
            {index < at && <VisuallyHidden> ({words.done})</VisuallyHidden>}
          </li>
        ))}
      </ol>
    </nav>
  );
};
