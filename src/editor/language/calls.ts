import * as vscode from 'vscode';
import { withinTime } from '#editor/time-limit';
import type { Answer, FilePlace } from '#host/language/answer';
import type { CallDirection, CallsOf, CodeSymbol } from '#host/language/places';
import { type Asking, ask } from './ask';
import { kindWord, toPlace, toPosition } from './convert';

const ANSWER_LIMIT = 10_000;
/** A name may mean several things, such as overloads; more are not asked about. */
const MOST_ITEMS = 5;

/** Who calls the thing at a place, or what it calls. */
export async function askCalls(
  at: FilePlace,
  direction: CallDirection,
  signal: AbortSignal,
  asking: Asking,
): Promise<Answer<readonly CallsOf[]>> {
  const position = toPosition(at.position);
  return ask<readonly CallsOf[]>(
    at,
    {
      what: `${direction} calls`,
      needsProject: true,
      async put({ uri }) {
        const items = await within<readonly vscode.CallHierarchyItem[]>(
          vscode.commands.executeCommand('vscode.prepareCallHierarchy', uri, position),
          signal,
        );
        return Promise.all(
          (items ?? []).slice(0, MOST_ITEMS).map((item) => callsOf(item, direction, signal)),
        );
      },
      nothing: [],
      isEmpty: (found) => found.length === 0,
    },
    signal,
    asking,
  );
}

async function callsOf(
  item: vscode.CallHierarchyItem,
  direction: CallDirection,
  signal: AbortSignal,
): Promise<CallsOf> {
  if (direction === 'incoming') {
    const calls = await within<readonly vscode.CallHierarchyIncomingCall[]>(
      vscode.commands.executeCommand('vscode.provideIncomingCalls', item),
      signal,
    );
    return {
      of: symbolOf(item),
      calls: (calls ?? []).map(({ from, fromRanges }) => ({
        symbol: symbolOf(from),
        at: fromRanges.map((range) => toPlace(from.uri, range)),
      })),
    };
  }
  const calls = await within<readonly vscode.CallHierarchyOutgoingCall[]>(
    vscode.commands.executeCommand('vscode.provideOutgoingCalls', item),
    signal,
  );
  return {
    of: symbolOf(item),
    calls: (calls ?? []).map(({ to, fromRanges }) => ({
      symbol: symbolOf(to),
      at: fromRanges.map((range) => toPlace(item.uri, range)),
    })),
  };
}

function within<T>(call: Thenable<T | undefined>, signal: AbortSignal): Promise<T | undefined> {
  return withinTime(call, ANSWER_LIMIT, 'calls', signal);
}

function symbolOf({ name, kind, detail, uri, selectionRange }: vscode.CallHierarchyItem): CodeSymbol {
  return { name, kind: kindWord(kind), detail: detail ?? '', place: toPlace(uri, selectionRange) };
}
