import * as vscode from 'vscode';
import type { Answer, FilePlace } from '#host/language/answer';
import type { Place, PlaceQuestion } from '#host/language/places';
import { type Asking, ask } from './ask';
import { toPlace, toPosition } from './convert';

const COMMANDS: Readonly<Record<PlaceQuestion, string>> = {
  definition: 'vscode.executeDefinitionProvider',
  'type-definition': 'vscode.executeTypeDefinitionProvider',
  implementation: 'vscode.executeImplementationProvider',
  references: 'vscode.executeReferenceProvider',
};

/** Where the thing at a place is defined, implemented or used. */
export async function askPlaces(
  question: PlaceQuestion,
  at: FilePlace,
  signal: AbortSignal,
  asking: Asking,
): Promise<Answer<readonly Place[]>> {
  const position = toPosition(at.position);
  const found = await ask<readonly (vscode.Location | vscode.LocationLink)[]>(
    at,
    {
      what: question,
      needsProject: true,
      put: ({ uri }) => vscode.commands.executeCommand(COMMANDS[question], uri, position),
      nothing: [],
      isEmpty: (places) => places.length === 0,
    },
    signal,
    asking,
  );
  return found.kind === 'known' ? { kind: 'known', value: found.value.map(placeOf) } : found;
}

function placeOf(found: vscode.Location | vscode.LocationLink): Place {
  return 'targetUri' in found
    ? toPlace(found.targetUri, found.targetSelectionRange ?? found.targetRange)
    : toPlace(found.uri, found.range);
}
