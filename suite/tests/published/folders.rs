//! Which of our definitions a published one is held against.

/// How the examples of a folder are judged by our shapes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Held {
    /// The whole under a definition.
    Under(&'static str),
    /// A response to a request of this method: its result by the method and resultType.
    Response(&'static str),
    /// A response with an error, which has a definition of its own.
    Refusal(&'static str),
    /// Only a client sends the like.
    FromClients,
}

use Held::{FromClients, Refusal, Response, Under};

impl Held {
    /// The definitions of ours that judge.
    pub(crate) fn definitions(self) -> Vec<&'static str> {
        match self {
            Under(name) => vec![name],
            Response(_) => vec!["ResultResponse"],
            Refusal(name) => vec!["ErrorResponse", name],
            FromClients => Vec::new(),
        }
    }
}

/// By published name, which is that of the folder of its examples.
pub(crate) const FOLDERS: &[(&str, Held)] = &[
    ("AudioContent", Under("ContentBlock")),
    ("AudioContent", Under("SamplingBlock")),
    ("BlobResourceContents", Under("ResourceContents")),
    ("BooleanSchema", Under("Primitive")),
    ("CallToolRequest", FromClients),
    ("CallToolRequestParams", FromClients),
    ("CallToolResult", Under("CallToolResult")),
    ("CallToolResultResponse", Response("tools/call")),
    ("CancelledNotification", Under("CancelledNotification")),
    ("CancelledNotificationParams", Under("CancelledParams")),
    ("ClientCapabilities", Under("ClientCapabilities")),
    ("CompleteRequest", FromClients),
    ("CompleteRequestParams", FromClients),
    ("CompleteResult", Under("CompleteResult")),
    ("CompleteResultResponse", Response("completion/complete")),
    ("CreateMessageRequest", Under("InputRequest")),
    ("CreateMessageRequestParams", Under("SamplingParams")),
    ("CreateMessageResult", FromClients),
    ("DiscoverRequest", FromClients),
    ("DiscoverResult", Under("DiscoverResult")),
    ("DiscoverResultResponse", Response("server/discover")),
    ("ElicitRequest", Under("InputRequest")),
    ("ElicitRequestFormParams", Under("ElicitationParams")),
    ("ElicitRequestURLParams", Under("ElicitationParams")),
    ("ElicitResult", FromClients),
    ("EmbeddedResource", Under("ContentBlock")),
    ("GetPromptRequest", FromClients),
    ("GetPromptRequestParams", FromClients),
    ("GetPromptResult", Under("GetPromptResult")),
    ("GetPromptResultResponse", Response("prompts/get")),
    ("HeaderMismatchError", Under("ErrorResponse")),
    ("ImageContent", Under("ContentBlock")),
    ("ImageContent", Under("SamplingBlock")),
    ("InputRequests", Under("InputRequests")),
    ("InputRequiredResult", Under("InputRequiredResult")),
    ("InputResponses", FromClients),
    ("InternalError", Under("Error")),
    ("InvalidParamsError", Under("Error")),
    ("ListPromptsRequest", FromClients),
    ("ListPromptsResult", Under("ListPromptsResult")),
    ("ListPromptsResultResponse", Response("prompts/list")),
    ("ListResourceTemplatesRequest", FromClients),
    (
        "ListResourceTemplatesResult",
        Under("ListResourceTemplatesResult"),
    ),
    (
        "ListResourceTemplatesResultResponse",
        Response("resources/templates/list"),
    ),
    ("ListResourcesRequest", FromClients),
    ("ListResourcesResult", Under("ListResourcesResult")),
    ("ListResourcesResultResponse", Response("resources/list")),
    ("ListRootsRequest", Under("InputRequest")),
    ("ListRootsResult", FromClients),
    ("ListToolsRequest", FromClients),
    ("ListToolsResult", Under("ListToolsResult")),
    ("ListToolsResultResponse", Response("tools/list")),
    (
        "LoggingMessageNotification",
        Under("LogMessageNotification"),
    ),
    (
        "LoggingMessageNotificationParams",
        Under("LogMessageParams"),
    ),
    ("MethodNotFoundError", Under("Error")),
    (
        "MissingRequiredClientCapabilityError",
        Refusal("MissingCapabilityError"),
    ),
    ("ModelPreferences", Under("ModelPreferences")),
    ("NumberSchema", Under("Primitive")),
    ("PaginatedRequestParams", FromClients),
    ("ParseError", Under("Error")),
    ("ProgressNotification", Under("ProgressNotification")),
    ("ProgressNotificationParams", Under("ProgressParams")),
    (
        "PromptListChangedNotification",
        Under("PromptsChangedNotification"),
    ),
    ("ReadResourceRequest", FromClients),
    ("ReadResourceResult", Under("ReadResourceResult")),
    ("ReadResourceResultResponse", Response("resources/read")),
    ("Resource", Under("Resource")),
    ("ResourceLink", Under("ContentBlock")),
    (
        "ResourceListChangedNotification",
        Under("ResourcesChangedNotification"),
    ),
    (
        "ResourceUpdatedNotification",
        Under("ResourceUpdatedNotification"),
    ),
    (
        "ResourceUpdatedNotificationParams",
        Under("ResourceUpdatedParams"),
    ),
    ("Root", FromClients),
    ("SamplingMessage", Under("SamplingMessage")),
    ("ServerCapabilities", Under("ServerCapabilities")),
    ("StringSchema", Under("Primitive")),
    (
        "SubscriptionsAcknowledgedNotification",
        Under("AcknowledgedNotification"),
    ),
    ("SubscriptionsListenRequest", FromClients),
    ("SubscriptionsListenResult", Under("ListenResult")),
    (
        "SubscriptionsListenResultResponse",
        Response("subscriptions/listen"),
    ),
    ("TextContent", Under("ContentBlock")),
    ("TextContent", Under("SamplingBlock")),
    ("TextResourceContents", Under("ResourceContents")),
    ("TitledMultiSelectEnumSchema", Under("Primitive")),
    ("TitledSingleSelectEnumSchema", Under("Primitive")),
    ("Tool", Under("Tool")),
    (
        "ToolListChangedNotification",
        Under("ToolsChangedNotification"),
    ),
    ("ToolResultContent", Under("SamplingBlock")),
    ("ToolUseContent", Under("SamplingBlock")),
    (
        "UnsupportedProtocolVersionError",
        Refusal("UnsupportedVersionError"),
    ),
    ("UntitledMultiSelectEnumSchema", Under("Primitive")),
    ("UntitledSingleSelectEnumSchema", Under("Primitive")),
];

/// Published examples that the published schema refuses by the definition of their result, and why it does not by that of the response.
pub(crate) const UNFIT: &[(&str, &str)] = &[(
    "ReadResourceResultResponse/read-resource-result-response.json",
    "A complete result without its caching hints: it passes as a result that asks for input, which may be of any type.",
)];

/// Definitions of ours that no published one is held against, and why.
pub(crate) const UNPUBLISHED: &[(&str, &str)] = &[
    ("CancelTaskResult", TASKS),
    ("CreateTaskResult", TASKS),
    ("DetailedTask", TASKS),
    ("GetTaskResult", TASKS),
    ("Task", TASKS),
    ("TaskNotification", TASKS),
    ("TaskParams", TASKS),
    ("UpdateTaskResult", TASKS),
];

const TASKS: &str = "The tasks extension has a schema of its own.";
