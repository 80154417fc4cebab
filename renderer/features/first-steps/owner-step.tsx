import { Text } from '@mantine/core';
import { useWords } from '../../language/use-words.ts';
import { firstStepsWords } from './first-steps.words.ts';

/** Whoever reads it has signed in, so that it is done. */
export const OwnerStep = () => <Text>{useWords(firstStepsWords).owner}</Text>;
