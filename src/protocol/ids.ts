/** Ids are branded strings, so that one kind can't be passed where another is meant. */
type Brand<T, B extends string> = T & { readonly __brand: B };

export type SessionId = Brand<string, 'SessionId'>;
export type TurnId = Brand<string, 'TurnId'>;
export type MessageId = Brand<string, 'MessageId'>;
export type CallId = Brand<string, 'CallId'>;
export type RequestId = Brand<string, 'RequestId'>;
export type ApprovalId = Brand<string, 'ApprovalId'>;
export type CheckpointId = Brand<string, 'CheckpointId'>;
export type ArtifactId = Brand<string, 'ArtifactId'>;

/** Lower-case hex SHA-256. */
export type Sha256 = Brand<string, 'Sha256'>;

/** A path inside the workspace, `/`-separated, normalised, without a leading `./`; the root itself is `.`. */
export type RelativePath = Brand<string, 'RelativePath'>;

/** An absolute path of this machine. */
export type AbsolutePath = Brand<string, 'AbsolutePath'>;
