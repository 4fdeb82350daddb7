import type { Evidence } from './evidence';
import type { Mutation } from './mutation';
import { awaits, nameMutations, variables } from './name-mutations';
import { argumentSwap, operandSwaps, signMutations } from './sign-mutations';
import type { SourceFile } from './units';
import { numberMutations, oneMoreOrLess, textMutations } from './value-mutations';

/** Every change that the rules know for a file. */
export function mutationsOf(file: SourceFile, evidence: Evidence): readonly Mutation[] {
  return file.tokens.flatMap((token, index) => {
    switch (token.kind) {
      case 'sign':
        return [
          ...signMutations(file, token, index),
          ...operandSwaps(file, token),
          ...argumentSwap(file, token, index),
        ];
      case 'name':
        return [
          ...nameMutations(file, token, index),
          ...awaits(file, token, index, evidence),
          ...variables(file, token, index),
          ...oneMoreOrLess(file, token, index),
        ];
      case 'number':
        return numberMutations(token, evidence);
      case 'string':
        return textMutations(token, evidence);
      default:
        return [];
    }
  });
}
